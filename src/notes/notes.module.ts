import { Module } from '@nestjs/common';

/** Comments and system notes; what they stand beneath has the endpoints. */
@Module({})
export class NotesModule {}
