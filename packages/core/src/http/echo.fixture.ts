import { Type } from 'typebox';

import { Problem } from '../errors/index.ts';
import { Pieces, type Line } from '../lines/index.ts';
import { lineRoute, type Route } from './index.ts';
import { thingItem } from './things.fixture.ts';

/** The lines that a test has opened, as the machine at their other end sees them. */
export interface Echo {
  readonly line: Line;
  readonly pieces: Pieces;
  readonly typed: string[];
  isClosed: boolean;
}

/** A route whose lines repeat the input in capitals. The word `end` ends a line, and `fail` ends it with a reason. */
export function echoRoute(echoes: Echo[] = []): Route {
  return lineRoute({
    path: '/api/v2/things/{thingID}/terminal',
    operationId: 'openThingTerminal',
    summary: 'Open the terminal of a thing',
    tags: ['Things'],
    security: 'bearer',
    params: Type.Object({ thingID: Type.String({ format: 'uuid' }) }),
    item: thingItem,
    verb: 'update',
    open: (_request, { spec }) => {
      if (spec.colour === 'blue') return Promise.reject(new Problem('conflict', 'a blue thing has no terminal'));
      const pieces = new Pieces({ most: 1000, full: () => undefined, room: () => undefined });
      const echo: Echo = {
        pieces,
        typed: [],
        isClosed: false,
        line: {
          pieces,
          send: (piece) => {
            const text = Buffer.from(piece).toString();
            echo.typed.push(text);
            if (text === 'end') pieces.end();
            else if (text === 'fail') pieces.end(new Problem('conflict', 'the thing is broken'));
            else pieces.add(Buffer.from(text.toUpperCase()));
            return Promise.resolve();
          },
          close: () => {
            echo.isClosed = true;
            pieces.end();
          },
        },
      };
      echoes.push(echo);
      return Promise.resolve(echo.line);
    },
  });
}
