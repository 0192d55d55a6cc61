import { Module } from '@nestjs/common';
import { OAuthSigningKeysRepository } from './oauth-signing-keys.repository.js';
import { SigningKeyStore } from './signing-key-store.service.js';

/** The stored keys, for the provider and for the command line. */
@Module({ providers: [OAuthSigningKeysRepository, SigningKeyStore], exports: [SigningKeyStore] })
export class SigningKeysModule {}
