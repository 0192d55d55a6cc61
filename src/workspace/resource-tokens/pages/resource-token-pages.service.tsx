import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { Preconditions } from '../../../core/preconditions.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { formErrors, given, givenList, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ROLES, roleName } from '../../../identity/members/roles.js';
import { TokenList } from '../../../identity/tokens/pages/personal-tokens.page.js';
import { validationRefusals } from '../../../identity/tokens/token-refusal.js';
import { RotateTokenDto } from '../../../identity/tokens/token.dto.js';
import { CreateResourceTokenDto, type ListTokensPageDto } from '../resource-token.dto.js';
import { ResourceTokenCreation, ResourceTokensService } from '../resource-tokens.service.js';
import { NewTokenCard, type NewTokenValues, type TokensPageContext } from './new-token.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { TokenResponse } from '../../../identity/tokens/token.presenter.js';

type Form = Record<string, unknown>;

/** Forms of pages have no header that could tie a change to a moment. */
const UNCONDITIONAL = new Preconditions(null);

/** Shared actions of the access token pages of projects and groups. */
@Injectable()
export class ResourceTokenPages {
  constructor(
    private readonly tokens: ResourceTokensService,
    private readonly creation: ResourceTokenCreation,
  ) {}

  /** Page of the tokens in the requested state. */
  list(
    pageContext: PageContext,
    context: TokensPageContext,
    { filters, paging }: { filters: ListTokensPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    const filled = { values: valuesOf({}), errors: null };
    return this.show(pageContext, context, {
      ...filled,
      ended: filters.state === 'inactive',
      paging,
    });
  }

  /** Creates a token and shows its value once, or shows the form again with the errors. */
  async create(
    pageContext: PageContext,
    context: TokensPageContext,
    { form, auth, paging }: { form: Form; auth: AuthContext; paging: Paging },
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(CreateResourceTokenDto, form);
      const { name, token: value } = await validationRefusals(() =>
        this.creation.create(context.resource, dto, auth),
      );
      const secret = { label: `Token “${name}”`, value };
      return pageContext.redirect(context.path, { notice: 'Token created.', secret });
    } catch (error) {
      const filled = { values: valuesOf(form), errors: formErrors(error) };
      return this.show(pageContext, context, { ...filled, ended: false, paging });
    }
  }

  /** Replaces a token by a new one and shows its value once. */
  async rotate(
    pageContext: PageContext,
    { path, resource }: TokensPageContext,
    { tokenId, form, auth }: { tokenId: number; form: Form; auth: AuthContext },
  ): Promise<HttpResponse> {
    try {
      const { name, token: value } = await validationRefusals(async () => {
        const dto = await parseInput(RotateTokenDto, form);
        return this.tokens.rotate(resource, { tokenId, dto }, auth);
      });
      return pageContext.redirect(path, { secret: { label: `Token “${name}”`, value } });
    } catch (error) {
      if (error instanceof NotFoundError) throw error;
      const { fields, general } = formErrors(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return pageContext.redirect(path, { alert });
    }
  }

  /** Revokes a token. */
  async revoke(
    pageContext: PageContext,
    { path, resource }: TokensPageContext,
    { tokenId, auth }: { tokenId: number; auth: AuthContext },
  ): Promise<HttpResponse> {
    await this.tokens.revoke(resource, { tokenId, preconditions: UNCONDITIONAL }, auth);
    return pageContext.redirect(path, { notice: 'Token revoked.' });
  }

  private async show(
    pageContext: PageContext,
    context: TokensPageContext,
    parts: { values: NewTokenValues; errors: FormProblems | null; ended: boolean; paging: Paging },
  ): Promise<HttpResponse> {
    const filters = { state: parts.ended ? 'inactive' : 'active', sort: 'created_desc' } as const;
    const page = await this.tokens.page(context.resource, filters, parts.paging);
    const content = ResourceTokensPage({ pageContext, context, page, ...parts });
    return pageContext.render(content, context.info, parts.errors === null ? 200 : 422);
  }
}

function valuesOf(form: Form): NewTokenValues {
  return {
    name: given(form, 'name'),
    description: given(form, 'description'),
    expiresAt: given(form, 'expires_at'),
    accessLevel: given(form, 'access_level') || String(ROLES.maintainer),
    scopes: givenList(form, 'scopes'),
  };
}

interface ResourceTokensPageProps {
  pageContext: PageContext;
  context: TokensPageContext;
  page: Page<TokenResponse>;
  paging: { page: number; perPage: number };
  /** Lists expired and revoked tokens. */
  ended: boolean;
  values: NewTokenValues;
  errors: FormProblems | null;
}

/** The access tokens of a project or group, and the form for a new one. */
function ResourceTokensPage(props: ResourceTokensPageProps): VNode {
  const { pageContext, context, page, paging, ended, values, errors } = props;
  const form = (
    <NewTokenCard pageContext={pageContext} context={context} values={values} errors={errors} />
  );
  const inactive = `${context.path}?state=inactive`;
  const tabs = [
    { label: 'Active', href: context.path },
    { label: 'Inactive', href: inactive },
  ];
  return (
    <>
      <PageHeader
        title={context.info.title}
        description="Tokens authenticate bot users to the API and Git."
      />
      {errors !== null && form}
      <Tabs label="Access tokens" items={tabs} current={ended ? inactive : context.path} />
      {page.items.length === 0 ? (
        <EmptyState title={ended ? 'No inactive tokens' : 'No active tokens'}>
          {ended
            ? 'Expired and revoked tokens appear here.'
            : `Active ${context.resource.kind} access tokens appear here.`}
        </EmptyState>
      ) : (
        <TokenList
          tokens={page.items}
          path={context.path}
          csrfToken={pageContext.csrfToken}
          canRotate
          roleName={roleName}
        />
      )}
      <Pagination
        page={page}
        paging={paging}
        path={context.path}
        query={{ state: ended ? 'inactive' : null }}
      />
      {errors === null && form}
    </>
  );
}
