import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { ADMIN_SCOPES, PERSONAL_TOKEN_SCOPES, type Scope } from '../../../core/access/scopes.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { NotFoundError } from '../../../core/errors.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { AccessTokensRepository } from '../access-tokens.repository.js';
import type { TokenRange } from '../sql/token-filters.js';
import { CreatePersonalTokenDto, RotateTokenDto } from '../token.dto.js';
import { TokenCreationService } from '../token-creation.service.js';
import type { MintedToken, TokenDetails } from '../token-details.js';
import { TokenExpiry, type PossibleDays } from '../token-expiry.service.js';
import { validationRefusals } from '../token-refusal.js';
import { TokenRevocationService } from '../token-revocation.service.js';
import { TokenRotationService } from '../token-rotation.service.js';

type SignedIn = AuthContext & { viewer: Viewer };
type Form = Record<string, unknown>;

/** Personal access tokens of the viewer; not even administrators act on those of others here. */
@Injectable()
export class OwnTokens {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly creation: TokenCreationService,
    private readonly rotation: TokenRotationService,
    private readonly revocation: TokenRevocationService,
    private readonly expiry: TokenExpiry,
  ) {}

  /** One page of them, the newest first. */
  list(viewer: Viewer, state: 'active' | 'inactive', paging: Paging): Promise<Page<TokenDetails>> {
    return this.tokens.list(rangeOf(viewer), { state, sort: 'created_desc' }, paging);
  }

  /** Makes one. Throws 400 with messages per attribute. */
  create(form: Form, auth: SignedIn): Promise<MintedToken> {
    return validationRefusals(async () => {
      const dto = await parseInput(CreatePersonalTokenDto, { scopes: [], ...form });
      const expiresAt = this.expiry.ofNewToken(dto.expires_at);
      const { name, description, scopes } = dto;
      const input = { userId: auth.viewer.id, name, description: description ?? '', scopes };
      return this.creation.create({ ...input, expiresAt }, auth);
    });
  }

  /** Replaces one. Throws 404 for any but the viewer's own, 400 for one that has ended. */
  async rotate(id: number, form: Form, auth: SignedIn): Promise<MintedToken> {
    const { id: tokenId } = await this.findOwn(id, auth.viewer);
    return validationRefusals(async () => {
      const { expires_at: expiresAt } = await parseInput(RotateTokenDto, form);
      return this.rotation.rotate({ tokenId, expiresAt }, auth);
    });
  }

  /** Ends one. Throws 404 for any but the viewer's own. */
  async revoke(id: number, auth: SignedIn): Promise<void> {
    const token = await this.findOwn(id, auth.viewer);
    await this.revocation.revoke(token.id, auth);
  }

  /** Scopes that the user can choose. */
  choosableScopes({ admin }: Viewer): Scope[] {
    return PERSONAL_TOKEN_SCOPES.filter((scope) => admin || !ADMIN_SCOPES.includes(scope));
  }

  /** First and last day on which a new token can end; without choice it is the last. */
  possibleDays(): PossibleDays {
    return this.expiry.possibleDays();
  }

  private async findOwn(id: number, viewer: Viewer): Promise<TokenDetails> {
    const token = await this.tokens.findInRange(id, rangeOf(viewer));
    if (token === null) throw new NotFoundError('Token');
    return token;
  }
}

function rangeOf({ id }: Viewer): TokenRange {
  return { kinds: ['personal'], userId: id };
}
