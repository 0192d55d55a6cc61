import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Clock } from '../../core/clock.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { formErrors, type FormProblems } from '../../core/ui/form-errors.js';
import { FormInput, given, givenList } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageInfo, PageShell } from '../../core/ui/shell.js';
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
    @Shell() shell: PageShell,
    @Input() dto: OwnTokenListDto,
    @Pages() paging: Paging,
    @Auth() { viewer }: SignedIn,
  ): Promise<Answer> {
    const state = dto.state ?? 'active';
    const now = this.clock.now();
    const found = await this.tokens.list(viewer, state, paging);
    const tokens = mapPage(found, (token) => presentToken(token, now));
    const page = OwnTokensPage({ state, tokens, paging, csrfToken: shell.csrfToken });
    return shell.page(page, INFO);
  }

  /** Shows the form for a new one. */
  @Get('new')
  blank(@Shell() shell: PageShell): Answer {
    return this.form(shell, BLANK);
  }

  /** Makes a token whose value the next page shows once, or shows the form again. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedIn,
  ): Promise<Answer> {
    try {
      return revealed(shell, await this.tokens.create(form, auth));
    } catch (error) {
      return this.form(shell, valuesOf(form), formErrors(error));
    }
  }

  /** Replaces a token by a new one, whose value the next page shows once. */
  @Post(':id/rotate')
  @RateLimit('token_creation')
  async rotate(
    @IntegerId('id') id: number,
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedIn,
  ): Promise<Answer> {
    try {
      return revealed(shell, await this.tokens.rotate(id, form, auth));
    } catch (error) {
      const { fields, general } = formErrors(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return shell.redirect(TOKENS_PATH, { alert });
    }
  }

  /** Ends a token. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Shell() shell: PageShell,
    @Auth() auth: SignedIn,
  ): Promise<Answer> {
    await this.tokens.revoke(id, auth);
    return shell.redirect(TOKENS_PATH, { notice: 'The token was revoked.' });
  }

  private form(shell: PageShell, values: NewTokenValues, errors?: FormProblems): Answer {
    const { csrfToken, viewer } = shell;
    const scopes = this.tokens.choosableScopes(viewer as Viewer);
    const days = this.tokens.possibleDays();
    const page = NewTokenPage({ values, scopes, days, csrfToken, ...(errors && { errors }) });
    return shell.page(page, NEW_INFO, errors === undefined ? 200 : 422);
  }
}

function revealed(shell: PageShell, { details, raw }: MintedToken): Answer {
  const secret = { label: `Token “${details.name}”`, value: raw };
  return shell.redirect(TOKENS_PATH, { secret });
}

function valuesOf(form: Record<string, unknown>): NewTokenValues {
  return {
    name: given(form, 'name'),
    description: given(form, 'description'),
    expires_at: given(form, 'expires_at'),
    scopes: givenList(form, 'scopes'),
  };
}
