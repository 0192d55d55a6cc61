import {
  createParamDecorator,
  Injectable,
  Optional,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { h, type VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { packageVersion } from '../version/package-version.js';
import { Assets } from './assets.service.js';
import { PageServices } from './components/page-services.js';
import { DOCTYPE, pageHeaders } from './document.js';
import { FlashCookies } from './flash-cookies.service.js';
import {
  type PageContext,
  type FlashMessages,
  type PageInfo,
  FrameCounters,
} from './page-context.js';
import { TodosRepository } from '../activity/todos.repository.js';
import { authContext, type AuthContext } from '../access/auth-context.js';
import { csrfToken } from '../access/csrf.js';
import { HttpResponse } from '../http/http-response.js';
import { publicBaseUrl } from '../response-context.js';
import { CodeHighlighter } from './highlighting/code-highlighter.service.js';
import { frameRequest, PageLayout, type SiteProps } from './page-layout.js';
import { preferencesOf } from './preferences.js';
import { PageReferences, ReferenceLookup } from './references/page-references.js';
import { SavedViewsRepository } from './saved-views.repository.js';

const VERSION = packageVersion();

/** Makes the page context of each request for a page. */
@Injectable()
export class PageContexts {
  constructor(
    private readonly assets: Assets,
    private readonly flash: FlashCookies,
    private readonly settings: InstanceSettings,
    private readonly highlighter: CodeHighlighter,
    private readonly counters: FrameCounters,
    private readonly todos: TodosRepository,
    private readonly savedViews: SavedViewsRepository,
    @Optional() private readonly lookup?: ReferenceLookup,
  ) {}

  /** The page context for the response to this request. */
  of(request: Request, response: Response): PageContext {
    const site = {
      icon: this.assets.pathOf('icon.svg'),
      styleSheet: this.assets.pathOf('app.css'),
      font: this.assets.pathOf('inter.woff2'),
      script: this.assets.pathOf('app.js'),
      version: VERSION,
      mayRegister: this.settings.values.signup_enabled,
      preferences: preferencesOf(request),
    };
    const { assets, flash, highlighter, counters, todos, savedViews, lookup } = this;
    const services = { assets, flash, highlighter, counters, todos, savedViews, lookup };
    return new RequestPageContext({ request, response, site, ...services });
  }
}

/** Dependencies of a request's page context. */
interface PageContextParts {
  request: Request;
  response: Response;
  assets: Assets;
  flash: FlashCookies;
  site: SiteProps;
  highlighter: CodeHighlighter;
  lookup: ReferenceLookup | undefined;
  counters: FrameCounters;
  todos: TodosRepository;
  savedViews: SavedViewsRepository;
}

/**
 * Page context of one request: contains the viewer, and renders pages in the layout of the site.
 */
class RequestPageContext implements PageContext {
  private readonly context: AuthContext;
  readonly csrfToken: string;

  constructor(private readonly parts: PageContextParts) {
    this.context = authContext(parts.request);
    this.csrfToken = csrfToken(parts.request);
  }

  get viewer(): AuthContext['viewer'] {
    return this.context.viewer;
  }

  get session(): AuthContext['session'] {
    return this.context.session;
  }

  get path(): string {
    return this.parts.request.path;
  }

  get baseUrl(): string {
    return publicBaseUrl(this.parts.request);
  }

  render(content: VNode, info: PageInfo, status = 200): HttpResponse {
    const { request, response, assets, flash } = this.parts;
    if (request.get('HX-Request') !== undefined) return this.loadedAnew();
    const { script } = info;
    const pageScript = script === undefined ? undefined : assets.pathOf(script);
    const site = { ...this.parts.site, pageScript };
    const messages = flash.take(request, response, this.viewer?.id ?? null);
    const { viewer, csrfToken, path } = this;
    const frame = { site, viewer, csrfToken, path, info, messages };
    const html = this.parts.counters
      .count(frameRequest(frame))
      .then((counts) => this.htmlOf(PageLayout({ ...frame, counts, children: content }), DOCTYPE));
    return new HttpResponse(status, html, pageHeaders(info, this.isPrivate));
  }

  fragment(content: VNode): HttpResponse {
    return new HttpResponse(200, this.htmlOf(content), pageHeaders({}, true));
  }

  redirect(location: string, flash?: FlashMessages): HttpResponse {
    const { response } = this.parts;
    if (flash !== undefined) this.parts.flash.leave(response, flash, this.viewer?.id ?? null);
    return new HttpResponse(303, undefined, { Location: location, 'Cache-Control': 'no-store' });
  }

  /** Waits for the parts of the content that are not there at once. */
  private async htmlOf(content: VNode, start = ''): Promise<string> {
    const { highlighter, todos, savedViews, lookup, site } = this.parts;
    const { viewer, csrfToken, baseUrl, path } = this;
    const references = new PageReferences({ lookup, viewer, baseUrl, path });
    const timeZone = site.preferences.time_zone;
    const services = { highlighter, references, todos, savedViews };
    const value = { ...services, viewer, csrfToken, timeZone };
    const page = h(PageServices.Provider, { value, children: content });
    return start + (await renderToStringAsync(page));
  }

  /** For a live region that was led to a whole page: the session has ended. */
  private loadedAnew(): HttpResponse {
    return new HttpResponse(200, '', { ...pageHeaders({}, true), 'HX-Refresh': 'true' });
  }

  /** A page with a CSRF token is for one browser, even when it is anonymous. */
  private get isPrivate(): boolean {
    return this.viewer !== null || this.csrfToken !== '';
  }
}

interface Exchange {
  request: Request;
  response: Response;
}

@Injectable()
class PageContextPipe implements PipeTransform<Exchange, PageContext> {
  constructor(private readonly contexts: PageContexts) {}

  transform({ request, response }: Exchange): PageContext {
    return this.contexts.of(request, response);
  }
}

/** The frame of the site for the page that answers this request. */
export const Context = (): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
  })(PageContextPipe);
