type AnswerBody = string | Buffer | Promise<string> | object | undefined;

/**
 * Complete response of a handler that sets status, headers and body itself: pages and OAuth
 * endpoints. The type parameter of a JSON body appears in the API description.
 */
export class HttpResponse<Body extends AnswerBody = AnswerBody> {
  /**
   * `body`: text and bytes are sent as they are (HTML by default), objects as JSON, `undefined` as
   * nothing; a promise is awaited first. A list as a header's value is sent as several headers.
   */
  constructor(
    readonly status: number,
    readonly body: Body,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {}
}

/** Response of background work. */
export interface Accepted {
  message: '202 Accepted';
}

/** Body of every 202. */
export const ACCEPTED: Accepted = { message: '202 Accepted' };

/** A body that is JSON already; `Body` is what it says, as the API description shows it. */
export class JsonText<Body> {
  /** Exists in types only. */
  declare readonly body?: Body;

  /** `tag` changes with the bytes: the validator of the response. */
  constructor(
    readonly bytes: Buffer,
    readonly tag: string,
  ) {}
}
