// Puts the chat box on an otherwise empty page, as the tag of a website does. The page Widget shows it in a frame, with
// the embed key and the colour in the fragment.
const given = new URLSearchParams(location.hash.slice(1));
const tag = document.createElement("script");
tag.src = new URL("../widget/widget.js", location.href).href;
tag.dataset.agent = given.get("agent") ?? "";
tag.dataset.cache = "reload"; // what was saved a moment ago is seen at once
tag.dataset.color = given.get("color") ?? "";
tag.addEventListener("load", () => { (window as any).frontdesk?.open(); });
document.body.append(tag);
