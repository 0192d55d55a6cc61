import { PERSONAL_TOKEN_SCOPES, type Scope } from '../../core/access/scopes.js';
import {
  BooleanParam,
  DateParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';

/** Scopes of tokens that people make for themselves over the API. */
const SELF_SERVICE_SCOPES = ['self_rotate'] as const satisfies readonly Scope[];

const MAX_TEXT_LENGTH = 255;

/** Attributes of every new token. */
class NewTokenDto {
  /** Name of the token. */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_TEXT_LENGTH }) name: string;
  /** Description of the token. */
  @TextParam({ maxLength: MAX_TEXT_LENGTH }) description?: string | null;
  /** Expiry date, at 00:00 UTC; the latest allowed one by default. */
  @DateParam() expires_at?: string | null;
}

/** Parameters of `POST /users/:user_id/personal_access_tokens`. */
export class CreatePersonalTokenDto extends NewTokenDto {
  /** Scopes of the token. */
  @ListParam({ required: true, values: PERSONAL_TOKEN_SCOPES, commaSeparated: true })
  scopes: Scope[];
}

/** Parameters of `POST /user/personal_access_tokens`. */
export class CreateOwnTokenDto extends NewTokenDto {
  /** Scopes of the token: users can grant themselves only its rotation here. */
  @ListParam({ required: true, values: SELF_SERVICE_SCOPES, commaSeparated: true })
  scopes: Scope[];
}

/** Parameters of `POST /users/:user_id/impersonation_tokens`. */
export class CreateImpersonationTokenDto extends NewTokenDto {
  /** Scopes of the token. */
  @ListParam({ values: PERSONAL_TOKEN_SCOPES, commaSeparated: true })
  scopes?: Scope[] | null;
}

export const TOKEN_STATES = ['active', 'inactive'] as const;

const TOKEN_SORTS = [
  'created_asc',
  'created_desc',
  'expires_asc',
  'expires_desc',
  'last_used_asc',
  'last_used_desc',
  'name_asc',
  'name_desc',
] as const;
export type TokenSort = (typeof TOKEN_SORTS)[number];

/** Filters that lists of access tokens of every kind take. */
export class TokenFiltersDto {
  /** Only revoked tokens, or only others. */
  @BooleanParam() revoked?: boolean | null;
  /** Only active tokens, or only inactive ones. */
  @TextParam({ values: TOKEN_STATES }) state?: (typeof TOKEN_STATES)[number] | null;
  /** Only tokens created before this time. */
  @DateTimeParam() created_before?: Date | null;
  /** Only tokens created after this time. */
  @DateTimeParam() created_after?: Date | null;
  /** Only tokens last used before this time. */
  @DateTimeParam() last_used_before?: Date | null;
  /** Only tokens last used after this time. */
  @DateTimeParam() last_used_after?: Date | null;
  /** Only tokens that expire before this day. */
  @DateParam() expires_before?: string | null;
  /** Only tokens that expire after this day. */
  @DateParam() expires_after?: string | null;
  /** Part of the name. */
  @TextParam() search?: string | null;
  /** Order of the list; by ID by default. */
  @TextParam({ values: TOKEN_SORTS }) sort?: TokenSort | null;
}

/** Filters of `GET /personal_access_tokens`. */
export class ListPersonalTokensDto extends TokenFiltersDto {
  /** Only tokens of this user; other users for administrators only. */
  @IntegerParam() user_id?: number | null;
}

/** Filters of `GET /users/:user_id/impersonation_tokens`. */
export class ListImpersonationTokensDto {
  /** Only active tokens, only inactive ones, or all. */
  @TextParam({ values: ['all', ...TOKEN_STATES] }) state?: 'all' | 'active' | 'inactive' | null;
}

/** Parameters of every rotation. */
export class RotateTokenDto {
  /** Expiry date of the new token, at 00:00 UTC; one week from now by default. */
  @DateParam() expires_at?: string | null;
}

/** Parameters of the page of one's own tokens. */
export class OwnTokenListDto {
  /** Only active tokens, or only inactive ones. */
  @TextParam({ values: TOKEN_STATES }) state?: (typeof TOKEN_STATES)[number] | null;
}
