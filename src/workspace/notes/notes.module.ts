import { Module } from '@nestjs/common';
import { MentionsRepository } from '../mentions/mentions.repository.js';
import { SpamModule } from '../spam/spam.module.js';
import { NotesRepository } from './notes.repository.js';
import { NotesService } from './notes.service.js';

/** Comments and system notes, and the mentions in texts; the features of the noteables have the endpoints. */
@Module({
  imports: [SpamModule],
  providers: [MentionsRepository, NotesRepository, NotesService],
  exports: [MentionsRepository, NotesRepository, NotesService],
})
export class NotesModule {}
