import { Injectable } from '@nestjs/common';

/** The current time, injected so that tests can set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

/** Returns the result of the work; rejects when it takes longer. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error('no answer in time'));
    // An answer can lie in the socket unread when it is this process that is late.
    timer = setTimeout(() => setImmediate(() => setImmediate(fail)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
