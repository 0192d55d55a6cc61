import request, { type Response } from 'supertest';
import type { MadeUser } from '../../support/factories.js';
import { pageClient } from '../../support/page-client.js';
import { PASSWORD, sessionValue, signIn } from '../../support/sign-in.js';
import { isAnswer, outcomeOf } from './cut-off.js';
import type { FaultStack } from './stack.js';
import { pause, Repeater } from './storm.js';

/** Signs in with two browsers and changes the password, over and over, while the server is killed. */
export class PasswordChanger extends Repeater {
  /** Cookies of sessions that must be alive, and of those that must have ended. */
  living: string[] = [];
  readonly ended: string[] = [];
  /** Changes that are known to be made, even without a response. */
  changes = 0;
  /** Changes that were cut off: which were made, and which were not. */
  readonly inDoubt = { made: 0, notMade: 0 };
  private password = PASSWORD;
  private number = 0;

  constructor(
    private readonly stack: FaultStack,
    readonly user: MadeUser,
  ) {
    super();
  }

  protected async round(): Promise<void> {
    for (let browser = 0; browser < 2; browser += 1) {
      const cookie = await this.enter(this.password);
      if (cookie === null) throw new Error('The password is no longer accepted');
      this.living.push(cookie);
    }
    await this.change();
  }

  /** A session that was acknowledged; null = the password is refused. */
  private async enter(password: string): Promise<string | null> {
    for (;;) {
      const outcome = await outcomeOf(signIn(this.stack, this.user.username, { password }));
      if (isAnswer(outcome)) return this.cookieOf(outcome);
      await pause();
    }
  }

  private cookieOf(response: Response): string | null {
    if (response.status === 303) {
      this.acknowledged += 1;
      return sessionValue(response);
    }
    if (response.status !== 422) this.oddities.push(`sign-in: ${response.status} ${response.text}`);
    return null;
  }

  private async change(): Promise<void> {
    this.number += 1;
    const next = `${PASSWORD}-${this.number}`;
    const outcome = await this.send(next);
    if (outcome === 'cut') await this.settle(next);
    else if (outcome.status === 303) this.changed(next, sessionValue(outcome));
    else this.oddities.push(`change: ${outcome.status} ${outcome.text}`);
  }

  private async send(next: string): Promise<Response | 'cut'> {
    const pages = pageClient(this.stack, this.living.at(-1) ?? '');
    for (;;) {
      const form = { password: next, password_confirmation: next, current_password: this.password };
      const outcome = await outcomeOf(pages.post('/-/user_settings/password', form));
      if (outcome !== 'unsent') return outcome;
      await pause();
    }
  }

  /**
   * The change may have been made without a response: the new password tells, and everything else
   * must match.
   */
  private async settle(next: string): Promise<void> {
    const cookie = await this.enter(next);
    if (cookie !== null) {
      this.inDoubt.made += 1;
      this.changed(next, cookie);
      return;
    }
    this.inDoubt.notMade += 1;
    for (const living of this.living) {
      if (!(await isAlive(this.stack, living))) this.oddities.push('half a change: a lost session');
    }
  }

  private changed(next: string, cookie: string): void {
    this.ended.push(...this.living);
    this.living = [cookie];
    this.password = next;
    this.changes += 1;
  }
}

/** Returns true if the session with this cookie is valid for the API. */
export async function isAlive({ url }: { url: string }, cookie: string): Promise<boolean> {
  const asked = request(url).get('/api/v4/user').set('Cookie', `_svc_session=${cookie}`);
  const { status } = await asked;
  if (status !== 200 && status !== 401) throw new Error(`GET /user answered ${status}`);
  return status === 200;
}
