/** Whether mail goes out: what became of the last one that was handed to the mail server, by any process of the service. */
import type { MailSender } from "../kit/mail/mail.ts";

type FindSender = () => MailSender | undefined;

/** How processes tell each other whether the last mail went out; what gets lost is made good by the next mail. */
export interface MailOutcomes {
  readonly tell: (isStuck: boolean) => void;
  readonly listen: (take: (isStuck: boolean) => void) => void;
}

/** The sender, with whether the last mail has to be tried again. */
export function watchSender(
  sender: FindSender,
  outcomes?: MailOutcomes,
): {
  readonly sender: FindSender;
  readonly isStuck: () => boolean;
} {
  let isStuck = false;
  outcomes?.listen((other) => {
    isStuck = other;
  });
  return {
    isStuck: () => isStuck,
    sender: () => {
      const present = sender();
      if (present === undefined) return undefined;
      return {
        ...present,
        close: () => present.close(),
        send: async (message) => {
          const outcome = await present.send(message);
          isStuck = outcome.status === "temporary";
          outcomes?.tell(isStuck);
          return outcome;
        },
      };
    },
  };
}
