// Colours that can be read on each other, by WCAG 2.2.

export const isColour = (text) => /^#[0-9a-f]{6}$/i.test(text || "");

function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

// readable returns the wanted colour of text on a background, or black or white where that could not be read (4.5:1).
export function readable(background, wanted) {
  if (isColour(wanted) && contrast(background, wanted) >= 4.5) return wanted;
  return contrast(background, "#ffffff") >= contrast(background, "#000000") ? "#ffffff" : "#000000";
}
