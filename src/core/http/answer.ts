type AnswerBody = string | Buffer | object | undefined;

/**
 * What an answer consists of where a handler decides all of it: pages and OAuth endpoints. The type
 * of a JSON body is told where it goes into the API description.
 */
export class Answer<Body extends AnswerBody = AnswerBody> {
  /**
   * `body`: text and bytes go out as they are (HTML unless a header says otherwise), objects as
   * JSON, `undefined` as nothing. A list as a header's value is sent as several headers.
   */
  constructor(
    readonly status: number,
    readonly body: Body,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {}
}
