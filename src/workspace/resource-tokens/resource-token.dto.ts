import { RESOURCE_TOKEN_SCOPES, type Scope } from '../../core/access/scopes.js';
import {
  DateParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS } from '../../identity/members/roles.js';
import { TOKEN_STATES } from '../../identity/tokens/token.dto.js';

/** Parameters of a new project or group access token. */
export class CreateResourceTokenDto {
  /** Name of the token and its bot user. */
  @TextParam({ required: true, allowEmpty: false, maxLength: 255 })
  name: string;

  /** Scopes of the token, as a list or separated by commas. */
  @ListParam({ required: true, values: RESOURCE_TOKEN_SCOPES, commaSeparated: true })
  scopes: Scope[];

  /** Role of the bot user, at most that of the creator; 40 (Maintainer) by default. */
  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  access_level?: number | null;

  /** Expiry date of the token, at 00:00 UTC. */
  @DateParam()
  expires_at?: string | null;

  /** Description of the token. */
  @TextParam({ maxLength: 255 })
  description?: string | null;
}

/** Parameters of a new job token. */
export class CreateJobTokenDto {
  /** Lifetime of the token in seconds, at most a day; 3600 by default. */
  @IntegerParam({ min: 1 })
  expires_in?: number | null;
}

/** Query parameters of an access tokens page. */
export class ListTokensPageDto {
  /** `inactive` lists expired and revoked tokens. */
  @TextParam({ values: TOKEN_STATES })
  state?: (typeof TOKEN_STATES)[number] | null;
}
