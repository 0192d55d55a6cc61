import { Module } from '@nestjs/common';
import { MentionsModule } from '../mentions/mentions.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

/** Comments and system notes; the features of the noteables have the endpoints. */
@Module({
  imports: [MentionsModule, SpamModule],
  providers: [NotesRepository, NotesService],
  exports: [NotesRepository, NotesService],
})
export class NotesModule {}
