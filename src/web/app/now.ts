/** The service's time for words such as "5 minutes ago". */
import { computed, signal } from "@preact/signals";
import { serviceNow } from "../ui/server-clock.ts";

/** The service's time, epoch ms; another one every second. */
export const second = signal(serviceNow());
setInterval(() => {
  second.value = serviceNow();
}, 1_000);

/** The beginning of the present minute. */
export const minute = computed(() => Math.floor(second.value / 60_000) * 60_000);
