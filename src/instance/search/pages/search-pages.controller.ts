import { Controller, Get } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { TextParam } from '../../../core/params/params.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  isLongEnough,
  MAX_SEARCH_LENGTH,
  PAGE_SCOPES,
  searchPatterns,
  SIGNED_IN_SCOPES,
  type PageScope,
} from '../search-query.js';
import { SearchRepository } from '../search.repository.js';
import { PaletteResults, SearchPage } from './search.page.js';

/** Results per scope in the command palette. */
const IN_PALETTE = 4;

/** Query parameters of the page. */
class SearchPageDto {
  /** Words and "quoted phrases". */
  @TextParam({ maxLength: MAX_SEARCH_LENGTH })
  search?: string | null;

  /** The tab; the first one with results unless given. */
  @TextParam({ values: PAGE_SCOPES })
  scope?: PageScope | null;
}

class PaletteDto {
  /** Words and "quoted phrases". */
  @TextParam({ required: true, allowEmpty: false, maxLength: MAX_SEARCH_LENGTH })
  term!: string;
}

/** Search over everything that the viewer can see; open to everyone. */
@Controller(atRoot('search'))
@Page('anyone')
export class SearchPagesController {
  constructor(private readonly repository: SearchRepository) {}

  /** Shows what was found in one scope, and how much in the others. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @Input() { search: given, scope: wanted }: SearchPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const text = given?.trim() ?? '';
    if (text === '') return pageContext.render(SearchPage({ text, results: null }), INFO);
    const search = { patterns: searchPatterns(text), viewer };
    const counts = await this.repository.count(search);
    const scope = wanted ?? PAGE_SCOPES.find((one) => (counts[one] ?? 0) > 0) ?? 'projects';
    const page =
      counts[scope] === null ? null : await this.repository.findHits(scope, search, paging);
    const isShort = !isLongEnough(text);
    const scopes = PAGE_SCOPES.filter((one) => viewer !== null || !SIGNED_IN_SCOPES.includes(one));
    const results = { scope, scopes, counts, page, paging, isShort };
    return pageContext.render(SearchPage({ text, results }), { ...INFO, title: `“${text}”` });
  }

  /** The first few of each scope, for the command palette. */
  @Get('palette')
  @RateLimit('palette')
  async complete(
    @Context() pageContext: PageContext,
    @Input() { term }: PaletteDto,
  ): Promise<HttpResponse> {
    const search = { patterns: searchPatterns(term), viewer: pageContext.viewer };
    const hits = await this.repository.findFew(search, IN_PALETTE);
    return pageContext.fragment(PaletteResults({ hits }));
  }
}

const INFO = { title: 'Search', crumbs: [{ label: 'Search', href: '/search' }] };
