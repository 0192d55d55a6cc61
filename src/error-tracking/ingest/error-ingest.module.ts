import { Module } from '@nestjs/common';

/** Storing what programs reported: the one way into the tables of errors. */
@Module({})
export class ErrorIngestModule {}
