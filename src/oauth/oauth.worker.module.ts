import { Module } from '@nestjs/common';
import { OAuthAccessGrantsRepository } from './oauth-access-grants.repository.js';
import { OAuthTokensRepository } from './oauth-tokens.repository.js';
import { OAuthJanitor } from './worker/oauth-janitor.service.js';

/** Background work of the OAuth provider: deleting ended tokens and codes. */
@Module({ providers: [OAuthAccessGrantsRepository, OAuthJanitor, OAuthTokensRepository] })
export class OAuthWorkerModule {}
