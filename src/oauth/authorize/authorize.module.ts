import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { AuthorizationAnswers } from './authorization-answers.service.js';
import { AuthorizationCodes } from './authorization-codes.service.js';
import { AuthorizationFlow } from './authorization-flow.service.js';
import { AuthorizeController } from './authorize.controller.js';
import { ConsentDecisions } from './consent-decisions.service.js';
import { Consent } from './consent.service.js';
import { SealedRequests } from './sealed-requests.service.js';
import { SignInDetour } from './sign-in-detour.service.js';

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
    SealedRequests,
    SignInDetour,
  ],
})
export class AuthorizeModule {}
