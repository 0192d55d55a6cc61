import { Module } from '@nestjs/common';
import { MentionsModule } from '../mentions/mentions.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { NotesFinder } from './notes-finder.service.js';
import { NotesWriter } from './notes-writer.service.js';

/** Comments and system notes; what they stand beneath has the endpoints. */
@Module({
  imports: [MentionsModule, SpamModule],
  providers: [NotesFinder, NotesWriter],
  exports: [NotesFinder, NotesWriter],
})
export class NotesModule {}
