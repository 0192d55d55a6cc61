import { Module } from '@nestjs/common';

/** Stored events of errors, unpacked. */
@Module({})
export class ErrorEventsModule {}
