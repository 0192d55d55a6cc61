import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext, type Viewer } from '../../../core/access/auth-context.js';
import { Clock } from '../../../core/clock.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { mapPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import {
  formErrors,
  FormInput,
  given,
  givenList,
  type FormProblems,
} from '../../../core/ui/forms.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { TokenRange } from '../sql/access-tokens.js';
import { TokenExpiry } from '../token-expiry.service.js';
import { validationRefusals } from '../token-refusal.js';
import { presentToken, type MintedToken, type TokenDetails } from '../token.presenter.js';
import { OwnTokenListDto, CreatePersonalTokenDto, RotateTokenDto } from '../token.dto.js';
import { NewTokenPage, type NewTokenValues } from './new-token.page.js';
import { PersonalTokensPage, TOKENS_PATH } from './personal-tokens.page.js';
import { ADMIN_SCOPES, PERSONAL_TOKEN_SCOPES } from '../../../core/access/scopes.js';
import { NotFoundError } from '../../../core/errors.js';
import { AccessTokensRepository } from '../access-tokens.repository.js';
import { FeedTokens } from '../feed-tokens.service.js';
import { TokenCreationService } from '../token-creation.service.js';
import { TokenRevocationService } from '../token-revocation.service.js';

const INFO: PageInfo = { title: 'Access tokens', nav: 'account' };
const NEW_INFO: PageInfo = {
  title: 'New token',
  nav: 'account',
  crumbs: [{ label: 'Access tokens', href: TOKENS_PATH }],
};
const BLANK: NewTokenValues = { name: '', description: '', expires_at: '', scopes: [] };

/** Pages of the viewer's own personal access tokens, also for administrators. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/personal_access_tokens'))
@Page('signed_in')
export class PersonalTokenPagesController {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly creation: TokenCreationService,
    private readonly revocation: TokenRevocationService,
    private readonly expiry: TokenExpiry,
    private readonly feedTokens: FeedTokens,
    private readonly clock: Clock,
  ) {}

  /** Lists active tokens, or inactive ones. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Input() dto: OwnTokenListDto,
    @Pages() paging: Paging,
    @Auth() { viewer }: SignedInContext,
  ): Promise<HttpResponse> {
    const state = dto.state ?? 'active';
    const now = this.clock.now();
    const filters = { state, sort: 'created_desc' } as const;
    const found = await this.tokens.list(rangeOf(viewer), filters, paging);
    const tokens = mapPage(found, (token) => presentToken(token, now));
    const feedToken = await this.feedTokens.find(viewer.id);
    const { csrfToken } = pageContext;
    const page = PersonalTokensPage({ state, tokens, paging, csrfToken, feedToken });
    return pageContext.render(page, INFO);
  }

  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.form(pageContext, BLANK);
  }

  /** Creates a token, whose value the next page shows once, or shows the form again. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    try {
      return revealed(pageContext, await this.mint(form, auth));
    } catch (error) {
      return this.form(pageContext, valuesOf(form), formErrors(error));
    }
  }

  /** Replaces a token by a new one, whose value the next page shows once. */
  @Post(':id/rotate')
  @RateLimit('token_creation')
  async rotate(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    try {
      const { id: tokenId } = await this.findOwn(id, auth.viewer);
      const minted = await validationRefusals(async () => {
        const { expires_at: expiresAt } = await parseInput(RotateTokenDto, form);
        return this.creation.rotate({ tokenId, expiresAt }, auth);
      });
      return revealed(pageContext, minted);
    } catch (error) {
      const { fields, general } = formErrors(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return pageContext.redirect(TOKENS_PATH, { alert });
    }
  }

  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const token = await this.findOwn(id, auth.viewer);
    await this.revocation.revoke(token.id, auth);
    return pageContext.redirect(TOKENS_PATH, { notice: 'Token revoked.' });
  }

  /** Creates a token. Throws 400 with messages per attribute. */
  private mint(form: Record<string, unknown>, auth: SignedInContext): Promise<MintedToken> {
    return validationRefusals(async () => {
      const dto = await parseInput(CreatePersonalTokenDto, { scopes: [], ...form });
      const expiresAt = this.expiry.ofNewToken(dto.expires_at);
      const { name, description, scopes } = dto;
      const input = { userId: auth.viewer.id, name, description: description ?? '', scopes };
      return this.creation.create({ ...input, expiresAt }, auth);
    });
  }

  private async findOwn(id: number, viewer: Viewer): Promise<TokenDetails> {
    const token = await this.tokens.findInRange(id, rangeOf(viewer));
    if (token === null) throw new NotFoundError('Token');
    return token;
  }

  private form(
    pageContext: PageContext,
    values: NewTokenValues,
    errors?: FormProblems,
  ): HttpResponse {
    const { csrfToken, viewer } = pageContext;
    const isAdmin = viewer?.admin === true;
    const scopes = PERSONAL_TOKEN_SCOPES.filter(
      (scope) => isAdmin || !ADMIN_SCOPES.includes(scope),
    );
    const days = this.expiry.possibleDays();
    const page = NewTokenPage({ values, scopes, days, csrfToken, ...(errors && { errors }) });
    return pageContext.render(page, NEW_INFO, errors === undefined ? 200 : 422);
  }
}

function rangeOf({ id }: Viewer): TokenRange {
  return { kinds: ['personal'], userId: id };
}

function revealed(pageContext: PageContext, { details, raw }: MintedToken): HttpResponse {
  const secret = { label: `Token “${details.name}”`, value: raw };
  return pageContext.redirect(TOKENS_PATH, { secret });
}

function valuesOf(form: Record<string, unknown>): NewTokenValues {
  return {
    name: given(form, 'name'),
    description: given(form, 'description'),
    expires_at: given(form, 'expires_at'),
    scopes: givenList(form, 'scopes'),
  };
}
