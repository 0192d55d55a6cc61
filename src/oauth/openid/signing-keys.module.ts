import { Module } from '@nestjs/common';
import { SigningKeyStore } from './signing-key-store.service.js';

/** The stored keys, for the provider and for the command line. */
@Module({ providers: [SigningKeyStore], exports: [SigningKeyStore] })
export class SigningKeysModule {}
