import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { AuthorizationAnswers } from './authorization-answers.service.js';
import { AuthorizationCodes } from './authorization-codes.service.js';
import { AuthorizationFlow } from './authorization-flow.service.js';
import { AuthorizeController } from './authorize.controller.js';
import { ConsentDecisions } from './consent-decisions.service.js';
import { Consent } from './consent.service.js';
import { SignedAuthorizationRequests } from './signed-authorization-requests.service.js';
import { LoginRedirect } from './login-redirect.service.js';

/** The authorization endpoint (RFC 6749 §3.1). */
@Module({
  imports: [ApplicationsModule, AuthModule],
  controllers: [AuthorizeController],
  providers: [
    AuthorizationAnswers,
    AuthorizationCodes,
    AuthorizationFlow,
    Consent,
    ConsentDecisions,
    SignedAuthorizationRequests,
    LoginRedirect,
  ],
})
export class AuthorizeModule {}
