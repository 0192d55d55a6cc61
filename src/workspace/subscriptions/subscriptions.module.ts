import { Module } from '@nestjs/common';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** Subscriptions to threads. */
@Module({ providers: [SubscriptionsRepository], exports: [SubscriptionsRepository] })
export class SubscriptionsModule {}
