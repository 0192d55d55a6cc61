import { Module } from '@nestjs/common';
import { NotesFinder } from './notes-finder.service.js';
import { NotesWriter } from './notes-writer.service.js';

/** Comments and system notes; what they stand beneath has the endpoints. */
@Module({ providers: [NotesFinder, NotesWriter], exports: [NotesFinder, NotesWriter] })
export class NotesModule {}
