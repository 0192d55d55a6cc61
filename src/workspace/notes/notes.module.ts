import { Module } from '@nestjs/common';
import { MentionsModule } from '../mentions/mentions.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { NotesRepository } from './notes.repository.js';
import { NotesWriter } from './notes-writer.service.js';

/** Comments and system notes; what they stand beneath has the endpoints. */
@Module({
  imports: [MentionsModule, SpamModule],
  providers: [NotesRepository, NotesWriter],
  exports: [NotesRepository, NotesWriter],
})
export class NotesModule {}
