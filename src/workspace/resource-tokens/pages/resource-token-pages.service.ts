import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { Preconditions } from '../../../core/preconditions.js';
import { given, givenList } from '../../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ROLES } from '../../../identity/members/roles.js';
import { validationRefusals } from '../../../identity/tokens/token-refusal.js';
import { CreateResourceTokenDto, type ListTokensPageDto } from '../resource-token.dto.js';
import { ResourceTokenCreation } from '../resource-token-creation.service.js';
import { ResourceTokensService } from '../resource-tokens.service.js';
import type { NewTokenValues } from './new-token.js';
import { ResourceTokensPage } from './resource-tokens.page.js';
import type { TokensPageContext } from './tokens-places.js';

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
    place: TokensPageContext,
    { filters, paging }: { filters: ListTokensPageDto; paging: Paging },
  ): Promise<HttpResponse> {
    const filled = { values: valuesOf({}), errors: null };
    return this.show(pageContext, place, {
      ...filled,
      ended: filters.state === 'inactive',
      paging,
    });
  }

  /** Makes a token, whose value the next page shows once; or shows the form again. */
  async create(
    pageContext: PageContext,
    place: TokensPageContext,
    { form, auth, paging }: { form: Form; auth: AuthContext; paging: Paging },
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(CreateResourceTokenDto, form);
      const { name, token: value } = await validationRefusals(() =>
        this.creation.create(place.resource, dto, auth),
      );
      const secret = { label: `Value of ${name}`, value };
      return pageContext.redirect(place.path, { notice: 'Access token created.', secret });
    } catch (error) {
      const filled = { values: valuesOf(form), errors: formErrors(error) };
      return this.show(pageContext, place, { ...filled, ended: false, paging });
    }
  }

  /** Ends a token. */
  async revoke(
    pageContext: PageContext,
    { path, resource }: TokensPageContext,
    { tokenId, auth }: { tokenId: number; auth: AuthContext },
  ): Promise<HttpResponse> {
    await this.tokens.revoke(resource, { tokenId, preconditions: UNCONDITIONAL }, auth);
    return pageContext.redirect(path, { notice: 'Access token revoked.' });
  }

  private async show(
    pageContext: PageContext,
    place: TokensPageContext,
    parts: { values: NewTokenValues; errors: FormProblems | null; ended: boolean; paging: Paging },
  ): Promise<HttpResponse> {
    const filters = { state: parts.ended ? 'inactive' : 'active', sort: 'created_desc' } as const;
    const page = await this.tokens.page(place.resource, filters, parts.paging);
    const content = ResourceTokensPage({ pageContext, place, page, ...parts });
    return pageContext.render(content, place.info, parts.errors === null ? 200 : 422);
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
