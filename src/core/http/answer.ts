/** What an answer consists of where a handler decides all of it: pages and OAuth endpoints. */
export class Answer {
  /**
   * `body`: text and bytes go out as they are (HTML unless a header says otherwise), objects as
   * JSON, `undefined` as nothing. A list as a header's value is sent as several headers.
   */
  constructor(
    readonly status: number,
    readonly body: string | Buffer | object | undefined,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {}
}
