import { PERSONAL_TOKEN_SCOPES, type Scope } from '../core/access/scopes.js';
import {
  BooleanParam,
  DateParam,
  DateTimeParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../core/params/params.decorator.js';

/** Scopes of tokens that people make for themselves over the API. */
export const SELF_SERVICE_SCOPES = ['self_rotate'] as const satisfies readonly Scope[];

const MAX_TEXT_LENGTH = 255;

/** Attributes of every new token. */
class NewTokenDto {
  /** Name of the token. */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_TEXT_LENGTH }) name: string;
  /** More about what it is for. */
  @TextParam({ maxLength: MAX_TEXT_LENGTH }) description?: string | null;
  /** The day on which it stops working, at 00:00 UTC; without one the latest that is allowed. */
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

export const TOKEN_SORTS = [
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
  /** Only tokens that were revoked, or only those that were not. */
  @BooleanParam() revoked?: boolean | null;
  /** Only tokens that work, or only those that do not. */
  @TextParam({ values: TOKEN_STATES }) state?: (typeof TOKEN_STATES)[number] | null;
  /** Only tokens made before this moment. */
  @DateTimeParam() created_before?: Date | null;
  /** Only tokens made after this moment. */
  @DateTimeParam() created_after?: Date | null;
  /** Only tokens last used before this moment. */
  @DateTimeParam() last_used_before?: Date | null;
  /** Only tokens last used after this moment. */
  @DateTimeParam() last_used_after?: Date | null;
  /** Only tokens that end before this day. */
  @DateParam() expires_before?: string | null;
  /** Only tokens that end after this day. */
  @DateParam() expires_after?: string | null;
  /** Part of the name. */
  @TextParam() search?: string | null;
  /** Order of the list; by id without one. */
  @TextParam({ values: TOKEN_SORTS }) sort?: TokenSort | null;
}

/** Filters of `GET /personal_access_tokens`. */
export class ListPersonalTokensDto extends TokenFiltersDto {
  /** Only tokens of this user; anyone but oneself for administrators only. */
  @IntegerParam() user_id?: number | null;
}

/** Filters of `GET /users/:user_id/impersonation_tokens`. */
export class ListImpersonationTokensDto {
  /** Only tokens that work, only those that do not, or all. */
  @TextParam({ values: ['all', ...TOKEN_STATES] }) state?: 'all' | 'active' | 'inactive' | null;
}

/** Parameters of every rotation. */
export class RotateTokenDto {
  /** The day on which the new token stops working, at 00:00 UTC; without one in a week. */
  @DateParam() expires_at?: string | null;
}
