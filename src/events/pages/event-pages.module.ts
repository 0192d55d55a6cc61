import { Module } from '@nestjs/common';

/** Feeds and calendars. */
@Module({})
export class EventPagesModule {}
