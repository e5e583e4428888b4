/** A mail server: it takes mails, refuses some for a while, and takes some without saying so. */
import type { MailMessage, MailOutcome } from "../../../src/kit/mail/mail.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";

export interface TakenMail {
  readonly to: string;
  readonly subject: string;
  readonly id: string | undefined;
}

export class PostOffice {
  /** Probability that a mail is refused for now. */
  refuses = 0;
  /** Probability that a mail is taken and the connection ends before the answer. */
  losesAnswer = 0;
  isDown = false;
  readonly taken: TakenMail[] = [];
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "post");
  }

  async take({ to, subject, id }: MailMessage): Promise<MailOutcome> {
    await this.#kernel.sleep(this.#random.wait(80));
    if (this.isDown || this.#random.chance(this.refuses))
      return { status: "temporary", reason: "The SMTP server cannot accept the email at the moment (451)" };
    this.taken.push({ to, subject, id });
    this.#kernel.trace(`post takes "${subject}" for ${to}`);
    await this.#kernel.sleep(this.#random.wait(40));
    if (this.#random.chance(this.losesAnswer))
      return { status: "temporary", reason: "The SMTP server did not respond in time" };
    return { status: "sent" };
  }
}
