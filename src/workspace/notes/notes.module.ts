import { Module } from '@nestjs/common';
import { MentionsModule } from '../mentions/mentions.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';
import { NotePages } from './pages/note-pages.service.js';

/** Comments and system notes; the features of the noteables have the endpoints. */
@Module({
  imports: [MentionsModule, SpamModule],
  providers: [NotePages, NotesRepository, NotesService],
  exports: [NotePages, NotesRepository, NotesService],
})
export class NotesModule {}
