import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { Clock } from '../../../core/clock.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { mapPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { FormInput, given, givenList } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import type { MintedToken } from '../token-details.js';
import { presentToken } from '../token.presenter.js';
import { OwnTokenListDto } from '../token.dto.js';
import { OwnTokens } from './own-tokens.service.js';
import { NewTokenPage, type NewTokenValues } from './new-token.page.js';
import { OwnTokensPage, TOKENS_PATH } from './own-tokens.page.js';

const INFO: PageInfo = { title: 'Access tokens', nav: 'account' };
const NEW_INFO: PageInfo = {
  title: 'New token',
  nav: 'account',
  crumbs: [{ label: 'Access tokens', href: TOKENS_PATH }],
};
const BLANK: NewTokenValues = { name: '', description: '', expires_at: '', scopes: [] };

type SignedIn = AuthContext & { viewer: Viewer };

/** The pages of one's own personal access tokens. */
@Controller(atRoot('-/user_settings/personal_access_tokens'))
@Page('signed_in')
export class OwnTokensController {
  constructor(
    private readonly tokens: OwnTokens,
    private readonly clock: Clock,
  ) {}

  /** Lists active tokens, or inactive ones. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Input() dto: OwnTokenListDto,
    @Pages() paging: Paging,
    @Auth() { viewer }: SignedIn,
  ): Promise<HttpResponse> {
    const state = dto.state ?? 'active';
    const now = this.clock.now();
    const found = await this.tokens.list(viewer, state, paging);
    const tokens = mapPage(found, (token) => presentToken(token, now));
    const page = OwnTokensPage({ state, tokens, paging, csrfToken: pageContext.csrfToken });
    return pageContext.render(page, INFO);
  }

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Context() pageContext: PageContext): HttpResponse {
    return this.form(pageContext, BLANK);
  }

  /** Makes a token whose value the next page shows once, or shows the form again. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedIn,
  ): Promise<HttpResponse> {
    try {
      return revealed(pageContext, await this.tokens.create(form, auth));
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
    @Auth() auth: SignedIn,
  ): Promise<HttpResponse> {
    try {
      return revealed(pageContext, await this.tokens.rotate(id, form, auth));
    } catch (error) {
      const { fields, general } = formErrors(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return pageContext.redirect(TOKENS_PATH, { alert });
    }
  }

  /** Ends a token. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedIn,
  ): Promise<HttpResponse> {
    await this.tokens.revoke(id, auth);
    return pageContext.redirect(TOKENS_PATH, { notice: 'The token was revoked.' });
  }

  private form(
    pageContext: PageContext,
    values: NewTokenValues,
    errors?: FormProblems,
  ): HttpResponse {
    const { csrfToken, viewer } = pageContext;
    const scopes = this.tokens.choosableScopes(viewer as Viewer);
    const days = this.tokens.possibleDays();
    const page = NewTokenPage({ values, scopes, days, csrfToken, ...(errors && { errors }) });
    return pageContext.render(page, NEW_INFO, errors === undefined ? 200 : 422);
  }
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
