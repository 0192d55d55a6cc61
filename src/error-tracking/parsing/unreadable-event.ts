/** The event is no JSON object, or cannot be kept; `message` says what is wrong with it. */
export class UnreadableEvent extends Error {
  /** `causes`: what exactly, for whoever writes an SDK. */
  constructor(
    message: string,
    readonly causes: readonly string[] = [],
  ) {
    super(message);
  }
}
