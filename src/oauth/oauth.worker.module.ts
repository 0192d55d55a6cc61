import { Module } from '@nestjs/common';
import { OAuthJanitor } from './worker/oauth-janitor.service.js';

/** Background work of the OAuth provider: forgetting what has ended. */
@Module({ providers: [OAuthJanitor] })
export class OAuthWorkerModule {}
