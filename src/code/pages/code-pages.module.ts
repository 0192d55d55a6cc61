import { Module } from '@nestjs/common';

/** The pages of a repository. */
@Module({})
export class CodePagesModule {}
