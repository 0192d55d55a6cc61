import { Module } from '@nestjs/common';
import { MentionsRepository } from './mentions.repository.js';

/** Mentions of users and groups in texts. */
@Module({ providers: [MentionsRepository], exports: [MentionsRepository] })
export class MentionsModule {}
