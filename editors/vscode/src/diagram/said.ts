// What the page of a diagram and the extension tell each other.

/** What is drawn: what is at the cursor, or always the flow of the project. */
export type View = "auto" | "flow";

/** To the page. */
export type ToPage =
  | {
      readonly kind: "show";
      readonly title: string;
      /** The picture; the one that is shown stays if there is none. */
      readonly picture?: string;
      /** The number of the box that the cursor is in. */
      readonly current?: number;
      /** What is to be known about the picture. */
      readonly note: string;
    }
  | { readonly kind: "wrong"; readonly why: string };

/** From the page. */
export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "go"; readonly place: number; readonly takesFocus: boolean }
  | { readonly kind: "view"; readonly view: View }
  | { readonly kind: "export" };
