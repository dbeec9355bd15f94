// Lists of which no more is in the page than is near the reader.
import { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Row } from "./api";

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

const inBlock = 40; // rows

/**
 * The rows of a long list whose rows differ in height, in blocks: those of a table in several tbody, others in several ul.
 * A block that is far from the reader is empty room of its height.
 */
export function Blocks<T extends Row>({ of: tag, rows, row }: { of: "tbody" | "ul"; rows: T[]; row: (r: T) => ComponentChildren }) {
  const firsts = Array.from({ length: Math.ceil(rows.length / inBlock) }, (_, i) => i * inBlock);
  return <>{firsts.map((i) => <Block key={i} of={tag}>{rows.slice(i, i + inBlock).map(row)}</Block>)}</>;
}

function Block({ of: tag, children }: { of: "tbody" | "ul"; children: ComponentChildren }) {
  const box = useRef<any>(null);
  const [room, setRoom] = useState(0); // pixels that the block takes while its rows are not in the page; 0 while they are
  useEffect(() => {
    const block = box.current as HTMLElement;
    const watch = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) setRoom(0);
      else if (!block.contains(document.activeElement)) setRoom(entry.boundingClientRect.height);
    }, { root: block.closest(".page"), rootMargin: "600px 0px" });
    watch.observe(block);
    return () => watch.disconnect();
  }, []);
  if (tag === "tbody") return <tbody ref={box} aria-hidden={room > 0}>{room ? <tr style={{ blockSize: room + "px" }}><td /></tr> : children}</tbody>;
  return <ul ref={box} class="list" aria-hidden={room > 0} style={room ? { blockSize: room + "px" } : {}}>{!room && children}</ul>;
}
