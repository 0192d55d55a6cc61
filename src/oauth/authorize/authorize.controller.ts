import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import {
  ApiErrors,
  ApiParameters,
  ApiProduces,
  ApiResponses,
} from '../../core/openapi/api.decorators.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { AuthorizationRequestDto } from '../oauth.dto.js';
import { AuthorizationAnswers } from './authorization-answers.service.js';
import { ACCESS_DENIED } from './authorization-errors.js';
import {
  AuthorizationFlow,
  type Ending,
  type Outcome,
  type Person,
} from './authorization-flow.service.js';
import { AuthorizationParams } from './authorization-params.js';
import { Consent } from './consent.service.js';
import { CONSENT_FIELD, ConsentPage } from './pages/consent.page.js';
import { SignedAuthorizationRequests } from './signed-authorization-requests.service.js';
import { LoginRedirect } from './login-redirect.service.js';

/** Authorization endpoint: shows the consent screen. */
@Controller(atRoot('oauth/authorize'))
export class AuthorizeController {
  constructor(
    private readonly flow: AuthorizationFlow,
    private readonly consent: Consent,
    private readonly sealed: SignedAuthorizationRequests,
    private readonly answers: AuthorizationAnswers,
    private readonly detour: LoginRedirect,
  ) {}

  /**
   * Authorizes an application in the browser of a user. Asks for sign-in and consent where they are
   * needed, then redirects to `redirect_uri` with `code`, `state` and `iss`, or with `error` and
   * `error_description`. A wrong `client_id` or `redirect_uri` is shown on an error page instead.
   * Request objects (`request`, `request_uri`) are not supported.
   */
  @Get()
  @Page('anyone')
  @ApiParameters(AuthorizationRequestDto)
  @ApiResponses(200, 302)
  @ApiErrors(401, 403, 429, 503)
  @ApiProduces('text/html')
  async ask(
    @Shell() shell: PageShell,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    const person = personOf(shell);
    const outcome = await this.flow.decide(new AuthorizationParams(request), person);
    if (outcome.kind === 'sign_in') return this.detour.begin(request, response, person);
    if (outcome.kind === 'asked') return this.consentPage(shell, outcome);
    return this.answer(shell, outcome);
  }

  /** Approves what was shown. */
  @Post()
  @Page('signed_in')
  async approve(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    const person = personOf(shell) as Person;
    return this.answer(shell, await this.consent.approve(form[CONSENT_FIELD], person, auth));
  }

  /** Denies what was shown. */
  @Post('deny')
  @Page('signed_in')
  deny(@Shell() shell: PageShell, @FormInput() form: Record<string, unknown>): Answer {
    const person = personOf(shell) as Person;
    return this.answer(shell, this.consent.deny(form[CONSENT_FIELD], person));
  }

  /** Denies a request in the query, as existing clients do. */
  @Delete()
  @Page('signed_in')
  async denyRequest(@Shell() shell: PageShell, @Req() request: Request): Promise<Answer> {
    const params = new AuthorizationParams(request);
    return this.answer(shell, await this.flow.deny(params, ACCESS_DENIED));
  }

  private answer(shell: PageShell, ending: Ending): Answer {
    if (ending.kind === 'refused') return this.answers.toPerson(shell, ending.error);
    return this.answers.toApplication(ending.address, ending.params);
  }

  private consentPage(shell: PageShell, { request, application }: Asked): Answer {
    const { viewer, session } = personOf(shell) as Person;
    const form = { sealed: this.sealed.seal(request, session.id), csrfToken: shell.csrfToken };
    const page = ConsentPage({ application, request, viewer, form });
    const title = `Authorize ${application.name}`;
    const formTargets = [request.redirectUri];
    return shell.page(page, { title, narrow: true, noReferrer: true, formTargets });
  }
}

type Asked = Extract<Outcome, { kind: 'asked' }>;

function personOf({ viewer, session }: PageShell): Person | null {
  return viewer === null || session === null ? null : { viewer, session };
}
