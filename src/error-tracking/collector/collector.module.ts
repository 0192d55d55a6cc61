import { Module } from '@nestjs/common';

/** The addresses that error SDKs post to. */
@Module({})
export class CollectorModule {}
