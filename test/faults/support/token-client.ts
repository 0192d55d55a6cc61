import type { Response } from 'supertest';
import { eventually } from '../../support/eventually.js';
import {
  clientFields,
  makeGrant,
  postRefresh,
  postToken,
  type MadeApplication,
  type TokenBody,
} from '../../support/oauth-factories.js';
import { isAnswer, type Outcome, outcomeOf } from './cut-off.js';
import type { FaultStack } from './stack.js';
import { pause, Repeater } from './storm.js';

const REFRESHES = 4;

/** Tokens that descend from one code. */
export interface Chain {
  code: string;
  /** Pairs that the client got, each in place of the one before. */
  pairs: TokenBody[];
  /** Requests without an answer, or with 503, that may have been carried out. */
  cuts: number;
  /** True if the newest pair may have been replaced by one that was never received. */
  isStranded: boolean;
}

/** 503 is no answer either: what a lost database has been told may be done. */
async function triedOut(request: PromiseLike<Response>): Promise<Outcome> {
  const outcome = await outcomeOf(request);
  return isAnswer(outcome) && outcome.status === 503 ? 'cut' : outcome;
}

/** Exchanges codes of one person and refreshes what it gets, also while the server is killed. */
export class TokenClient extends Repeater {
  readonly chains: Chain[] = [];

  constructor(
    private readonly stack: FaultStack,
    private readonly application: MadeApplication,
    private readonly user: { id: number },
  ) {
    super();
  }

  protected async round(): Promise<void> {
    const { stack, application, user } = this;
    // The database may be the one that is killed.
    const code = await eventually(() => makeGrant(stack, { application, user }), { seconds: 30 });
    const chain: Chain = { code, pairs: [], cuts: 0, isStranded: false };
    this.chains.push(chain);
    await this.ask(chain, () => [this.exchange(code)]);
    for (let times = 0; times < REFRESHES; times += 1) {
      const pair = chain.pairs.at(-1);
      if (pair === undefined || chain.isStranded) return;
      // Clients do this when two of their parts notice the end of a token at the same time.
      const copies = times % 2 === 0 ? 1 : 2;
      await this.ask(chain, () => Array.from({ length: copies }, () => this.refresh(pair)));
    }
  }

  private exchange(code: string): PromiseLike<Response> {
    return postToken(this.stack, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.application.redirectUri,
      ...clientFields(this.application),
    });
  }

  private refresh(pair: TokenBody): PromiseLike<Response> {
    return postRefresh(this.stack, this.application, pair.refresh_token);
  }

  /** Sends the copies at once, again and again until one is answered. */
  private async ask(chain: Chain, send: () => PromiseLike<Response>[]): Promise<void> {
    const cutsBefore = chain.cuts;
    for (;;) {
      const outcomes = await Promise.all(send().map(triedOut));
      chain.cuts += outcomes.filter((outcome) => outcome === 'cut').length;
      const answers = outcomes.filter(isAnswer);
      if (answers.length > 0) {
        this.judge(chain, answers, chain.cuts > cutsBefore);
        return;
      }
      await pause();
    }
  }

  private judge(chain: Chain, answers: readonly Response[], wasCut: boolean): void {
    const pairs = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status, body }) => {
      return status === 400 && (body as { error?: string }).error === 'invalid_grant';
    });
    if (pairs.length > 1) this.oddities.push('one credential has brought two pairs');
    if (pairs.length + refused.length < answers.length) {
      this.oddities.push(answers.map(({ status, text }) => `${status} ${text}`).join(' '));
    }
    if (pairs.length === 0 && !wasCut) this.oddities.push('the used-up grant was never received');
    if (pairs.length === 0) chain.isStranded = true;
    this.acknowledged += pairs.length;
    chain.pairs.push(...pairs.map(({ body }) => body as TokenBody));
  }
}
