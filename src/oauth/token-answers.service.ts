import { Injectable } from '@nestjs/common';
import type { Answer } from '../core/http/answer.js';
import type { Client } from './oauth-applications.repository.js';
import { IdTokens } from './openid/id-tokens.service.js';
import { tokenAnswer, type IssuedToken, type PresentedOAuthToken } from './token-response.js';

/** A token of a user, as its grant has it. */
interface UserToken {
  userId: number;
  issued: IssuedToken | null;
  /** Time of the sign-in; null without a browser session. */
  authTime: Date | null;
  /** Of the authorization request; absent at refreshes. */
  nonce?: string | null;
}

/** Issues tokens of users, with an id_token if the scope has `openid`. */
@Injectable()
export class TokenAnswers {
  constructor(private readonly idTokens: IdTokens) {}

  /** The answer for a token that was issued; without it this is a mistake of the caller. */
  async forUser(
    { userId, issued, authTime, nonce = null }: UserToken,
    client: Client | null,
  ): Promise<Answer<PresentedOAuthToken>> {
    if (issued === null) throw new Error('no token was issued');
    const { scopes } = issued;
    if (client === null || !scopes.includes('openid')) return tokenAnswer(issued);
    const clientId = client.uid;
    const idToken = await this.idTokens.sign({ userId, clientId, scopes, nonce, authTime });
    return tokenAnswer(issued, idToken);
  }
}
