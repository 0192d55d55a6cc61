import { Module } from '@nestjs/common';

/** Pages of errors. */
@Module({})
export class ErrorPagesModule {}
