// Lists of which no more is in the page than is near the reader.
import { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

const atOnce = 120; // rows in the page
const stride = 20; // rows by which they change

/**
 * The rows of a long list that are near the reader: from begin until end, with the pixels that the others before and
 * after them take. All rows are as high as height says; the box is what scrolls.
 */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number): { begin: number; end: number; before: number; after: number } {
  const [first, setFirst] = useState(0);
  useEffect(() => {
    const of = box.current;
    if (!of) return;
    const look = () => setFirst(Math.max(0, Math.floor((of.scrollTop / height - atOnce / 3) / stride) * stride));
    of.addEventListener("scroll", look, { passive: true });
    look();
    return () => of.removeEventListener("scroll", look);
  }, [box.current, height]);
  const begin = Math.min(first, Math.max(0, Math.floor((count - atOnce) / stride) * stride));
  const end = Math.min(count, begin + atOnce);
  return { begin, end, before: begin * height, after: (count - end) * height };
}
