// The editor: TOML with the words of the catalogue, and mistakes underlined in the engine's own words.
import { basicSetup } from 'codemirror';
import { EditorState, Compartment, Annotation } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { indentWithTab, undo, redo } from '@codemirror/commands';
import { StreamLanguage, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { autocompletion } from '@codemirror/autocomplete';
import { setDiagnostics, lintGutter } from '@codemirror/lint';
import { tags } from '@lezer/highlight';
import { completions } from './complete.js';

const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.string, class: 'tok-string' },
  { tag: [tags.number, tags.atom, tags.bool], class: 'tok-number' },
  { tag: tags.propertyName, class: 'tok-property' },
  { tag: [tags.heading, tags.bracket], class: 'tok-heading' },
]);

// Who changed the text: the engine need not be asked again for what it told itself.
const bySlider = Annotation.define();

export class Editor {
  #view;
  #name = new Compartment();
  #underlined = false;

  constructor(parent, { text, onChange, words }) {
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          keymap.of([indentWithTab]),
          StreamLanguage.define(toml),
          syntaxHighlighting(colours),
          autocompletion({ override: [(context) => completions(context, words())], activateOnTyping: true }),
          lintGutter(),
          EditorView.lineWrapping,
          this.#name.of(EditorView.contentAttributes.of({ 'aria-label': 'Model file', 'aria-description': 'Escape, then Tab leaves the editor.' })),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.transactions.some((t) => t.annotation(bySlider)));
          }),
        ],
      }),
    });
    this.#view.scrollDOM.tabIndex = 0; // to be scrolled by keys
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  // The whole text, as one step that can be undone.
  setText(text, stay = false) {
    if (text === this.text) return;
    const anchor = stay ? Math.min(this.#view.state.selection.main.head, text.length) : 0;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor } });
  }

  undo() {
    undo(this.#view);
  }

  redo() {
    redo(this.#view);
  }

  // Changes that leave the rest as it is: [{from, to, insert}].
  edit(changes, slider = false) {
    this.#view.dispatch({ changes, userEvent: 'input', annotations: slider ? bySlider.of(true) : [] });
  }

  // Where a place of the engine begins: lines and columns count from 1, columns are characters.
  offset({ line, column }) {
    const doc = this.#view.state.doc;
    if (line < 1 || line > doc.lines) return 0;
    const { from, text } = doc.line(line);
    return from + [...text].slice(0, column - 1).join('').length;
  }

  underline(mistakes) {
    const doc = this.#view.state.doc;
    const diagnostics = mistakes.map(({ place, message, notes }) => {
      const from = Math.min(this.offset(place), doc.length);
      const line = doc.lineAt(from);
      const to = Math.min(Math.max(from + 1, from + [...doc.sliceString(from, line.to)].slice(0, place.length).join('').length), doc.length);
      return { from, to, severity: place.warning ? 'warning' : 'error', message: [message, ...notes].join('\n') };
    });
    if (!diagnostics.length && !this.#underlined) return; // while a slider moves nothing changes here
    this.#underlined = diagnostics.length > 0;
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics.sort((a, b) => a.from - b.from)));
  }

  goTo(place) {
    const at = this.offset(place);
    this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.#view.focus();
  }

  focus() {
    this.#view.focus();
  }
}
