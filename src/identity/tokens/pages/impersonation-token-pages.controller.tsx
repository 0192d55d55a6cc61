import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { ADMIN_SCOPES, PERSONAL_TOKEN_SCOPES, type Scope } from '../../../core/access/scopes.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page as ListPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import {
  formErrors,
  FormInput,
  given,
  givenList,
  type FormProblems,
} from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { UserDetails } from '../../users/user.presenter.js';
import { UsersRepository } from '../../users/users.repository.js';
import { ImpersonationTokensService } from '../impersonation-tokens.service.js';
import { CreateImpersonationTokenDto, OwnTokenListDto } from '../token.dto.js';
import { TokenExpiry, type PossibleDays } from '../token-expiry.service.js';
import type { TokenResponse } from '../token.presenter.js';
import { NewTokenFields, type NewTokenValues } from './new-token.page.js';
import { TokenList } from './personal-tokens.page.js';

const BLANK: NewTokenValues = { name: '', description: '', expires_at: '', scopes: [] };

/** State of a token page beside the list. */
interface Shown {
  userId: number;
  state: 'active' | 'inactive';
  paging: Paging;
  values?: NewTokenValues;
  errors?: FormProblems;
}

/** Impersonation tokens of a user, for administrators. */
@ReadsPrimary()
@Controller(atRoot('admin/users/:id/impersonation_tokens'))
@Page('administrate')
export class ImpersonationTokenPagesController {
  constructor(
    private readonly service: ImpersonationTokensService,
    private readonly users: UsersRepository,
    private readonly expiry: TokenExpiry,
  ) {}

  /** Lists active tokens, or inactive ones, with a form for a new one. */
  @Get()
  list(
    @Context() pageContext: PageContext,
    @IntegerId('id') userId: number,
    @Input() { state }: OwnTokenListDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.show(pageContext, { userId, state: state ?? 'active', paging });
  }

  /** Creates a token and shows its value once, or shows the form again with its errors. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @Context() pageContext: PageContext,
    @IntegerId('id') userId: number,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    await this.find(userId);
    try {
      const dto = await parseInput(CreateImpersonationTokenDto, { scopes: [], ...form });
      const { details, raw } = await this.service.create(userId, dto, auth);
      const secret = { label: `Token “${details.name}”`, value: raw };
      return pageContext.redirect(pathOf(userId), { notice: 'Token created.', secret });
    } catch (error) {
      const values = {
        name: given(form, 'name'),
        description: given(form, 'description'),
        expires_at: given(form, 'expires_at'),
        scopes: givenList(form, 'scopes'),
      };
      const refused = { values, errors: formErrors(error) };
      return this.show(pageContext, { userId, state: 'active', paging, ...refused });
    }
  }

  @Post(':token_id/revoke')
  async revoke(
    @Context() pageContext: PageContext,
    @IntegerId('id') userId: number,
    @IntegerId('token_id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.service.revoke({ userId, id, preconditions: NO_PRECONDITIONS }, auth);
    return pageContext.redirect(pathOf(userId), { notice: 'Token revoked.' });
  }

  private async find(id: number): Promise<UserDetails> {
    const user = await this.users.findDetails(id);
    if (user === null) throw new NotFoundError('User');
    return user;
  }

  private async show(pageContext: PageContext, shown: Shown): Promise<HttpResponse> {
    const { userId, state, paging, values = BLANK, errors } = shown;
    const user = await this.find(userId);
    const tokens = await this.service.list(userId, { state, sort: 'created_desc' }, paging);
    const content = ImpersonationTokensPage({
      ...{ user, state, paging, tokens, values, errors },
      isEnabled: this.service.isEnabled,
      scopes: PERSONAL_TOKEN_SCOPES.filter((scope) => user.admin || !ADMIN_SCOPES.includes(scope)),
      days: this.expiry.possibleDays(),
      csrfToken: pageContext.csrfToken,
    });
    const crumbs = [
      { label: 'Admin', href: '/admin' },
      { label: 'Users', href: '/admin/users' },
      { label: user.name, href: `/admin/users/${user.id}` },
    ];
    const info = { title: 'Impersonation tokens', nav: 'admin', crumbs } as const;
    return pageContext.render(content, info, errors === undefined ? 200 : 422);
  }
}

function pathOf(userId: number): string {
  return `/admin/users/${userId}/impersonation_tokens`;
}

interface ImpersonationTokensPageProps {
  user: UserDetails;
  state: 'active' | 'inactive';
  tokens: ListPage<TokenResponse>;
  paging: { page: number; perPage: number };
  /** The instance lets administrators create tokens. */
  isEnabled: boolean;
  values: NewTokenValues;
  scopes: readonly Scope[];
  days: PossibleDays;
  errors: FormProblems | undefined;
  csrfToken: string;
}

/** Impersonation tokens of one user, and the form for a new one. */
function ImpersonationTokensPage(props: ImpersonationTokensPageProps): VNode {
  const { user, state, tokens, paging, isEnabled, errors, csrfToken } = props;
  const path = pathOf(user.id);
  const isActive = state === 'active';
  const inactive = `${path}?state=inactive`;
  const tabs = [
    { label: 'Active', href: path },
    { label: 'Inactive', href: inactive },
  ];
  const form = isEnabled && <NewTokenCard {...props} />;
  return (
    <>
      <PageHeader
        title="Impersonation tokens"
        description={`Requests with these tokens act as ${user.name} and are recorded in the audit log.`}
      />
      {!isEnabled && <p class="alert">Impersonation is disabled in the instance settings.</p>}
      {errors !== undefined && form}
      <Tabs label="Tokens" items={tabs} current={isActive ? path : inactive} />
      {tokens.items.length === 0 ? (
        <EmptyState title={isActive ? 'No active tokens' : 'No inactive tokens'}>
          {isActive
            ? 'Tokens that act as this user appear here.'
            : 'Expired and revoked tokens appear here.'}
        </EmptyState>
      ) : (
        <TokenList tokens={tokens.items} path={path} csrfToken={csrfToken} />
      )}
      <Pagination
        page={tokens}
        paging={paging}
        path={path}
        query={{ state: isActive ? null : state }}
      />
      {errors === undefined && form}
    </>
  );
}

function NewTokenCard(props: ImpersonationTokensPageProps): VNode {
  const { user, values, scopes, days, errors, csrfToken } = props;
  return (
    <Card title="New impersonation token">
      <Form action={pathOf(user.id)} csrfToken={csrfToken} label="New impersonation token">
        <FormErrors errors={errors} />
        <NewTokenFields {...{ values, scopes, days }} {...(errors && { errors })} />
        <FormActions submit="Create token" />
      </Form>
    </Card>
  );
}
