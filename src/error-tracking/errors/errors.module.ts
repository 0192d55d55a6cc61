import { Module } from '@nestjs/common';

/** Errors and what people do about them. */
@Module({})
export class ErrorsModule {}
