import { PERSONAL_TOKEN_SCOPES, type Scope } from '../../core/access/scopes.js';
import { DateParam, ListParam, TextParam } from '../../core/params/params.decorator.js';

/** Scopes of tokens that people make for themselves over the API. */
export const SELF_SERVICE_SCOPES = ['self_rotate'] as const satisfies readonly Scope[];

const MAX_TEXT_LENGTH = 255;

/** What every new token may say about itself. */
class NewTokenDto {
  /** What the token is for. */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_TEXT_LENGTH }) name: string;
  /** More about what it is for. */
  @TextParam({ maxLength: MAX_TEXT_LENGTH }) description?: string | null;
  /** The day on which it stops working, at 00:00 UTC; without one the latest that is allowed. */
  @DateParam() expires_at?: string | null;
}

/** Parameters of `POST /users/:user_id/personal_access_tokens`. */
export class CreatePersonalTokenDto extends NewTokenDto {
  /** What the token may do. */
  @ListParam({ required: true, values: PERSONAL_TOKEN_SCOPES, commaSeparated: true })
  scopes: Scope[];
}

/** Parameters of `POST /user/personal_access_tokens`. */
export class CreateOwnTokenDto extends NewTokenDto {
  /** What the token may do: people get no more rights this way than to rotate it. */
  @ListParam({ required: true, values: SELF_SERVICE_SCOPES, commaSeparated: true })
  scopes: Scope[];
}

/** Parameters of `POST /users/:user_id/impersonation_tokens`. */
export class CreateImpersonationTokenDto extends NewTokenDto {
  /** What the token may do. */
  @ListParam({ values: PERSONAL_TOKEN_SCOPES, commaSeparated: true })
  scopes?: Scope[] | null;
}
